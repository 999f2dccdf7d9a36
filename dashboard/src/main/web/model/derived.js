/** Caches a function of an object and further values until one of them changes. */
export function derived(compute) {
  let before = null;
  let result;
  return (...inputs) => {
    if (before === null || inputs.some((input, i) => input !== before[i])) {
      result = compute(...inputs);
      before = inputs;
    }
    return result;
  };
}
