/** A function of one object and some further values that is computed anew only when one of them is another. */
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
