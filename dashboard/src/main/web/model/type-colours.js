/**
 * Which types of a view have a colour of their own, and which. The name says it, so that a type looks the same in every hour and in
 * every browser; where two names want one colour, the first by name has it, and the other its next wish. From one view to the next
 * a type keeps the colour it has, as long as it is among those shown in colour; the others share one neutral colour.
 */
export const SLOTS = 8;

export class TypeColours {
  #slots;

  constructor(slots = new Map()) {
    this.#slots = slots;
  }

  /**
   * @param {string[]} coloured the types of the next view that get a colour, SLOTS at most, in any order
   * @returns {TypeColours} the colours of that view
   */
  next(coloured) {
    const slots = new Map(coloured.filter((type) => this.#slots.has(type)).map((type) => [type, this.#slots.get(type)]));
    const taken = new Set(slots.values());
    for (const type of coloured.filter((t) => !slots.has(t)).sort()) {
      const slot = wishes(type).find((wish) => !taken.has(wish));
      slots.set(type, slot);
      taken.add(slot);
    }
    return new TypeColours(slots);
  }

  /** 0 to SLOTS - 1, or -1 for the neutral colour. */
  slotOf(type) {
    return this.#slots.get(type) ?? -1;
  }

  /** The CSS value of a type's colour. */
  cssOf(type) {
    const slot = this.slotOf(type);
    return slot < 0 ? 'var(--series-other)' : `var(--series-${slot})`;
  }
}

/** All slots, as a type would have them. An odd step meets each of them once, since SLOTS is a power of two. */
function wishes(type) {
  const hash = fnv1a(type);
  const step = ((hash >>> 16) | 1) % SLOTS;
  return Array.from({ length: SLOTS }, (_, i) => ((hash >>> 24) + i * step) % SLOTS);
}

/** The hash FNV-1a of Fowler, Noll and Vo, 32 bits, over the text's UTF-16 units. */
function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
