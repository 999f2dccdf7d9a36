/**
 * Which types of a view have a colour of their own, and which. A type keeps its colour from one hour to the next and under any
 * filter, as long as it is among those shown in colour; the others share one neutral colour.
 */
export const SLOTS = 8;

export class TypeColours {
  #slots;

  constructor(slots = new Map()) {
    this.#slots = slots;
  }

  /**
   * @param {string[]} coloured the types of the next view that get a colour, SLOTS at most
   * @returns {TypeColours} the colours of that view
   */
  next(coloured) {
    const slots = new Map(coloured.filter((type) => this.#slots.has(type)).map((type) => [type, this.#slots.get(type)]));
    const taken = new Set(slots.values());
    const free = Array.from({ length: SLOTS }, (_, i) => i).filter((slot) => !taken.has(slot));
    for (const type of coloured) {
      if (!slots.has(type)) slots.set(type, free.shift());
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
