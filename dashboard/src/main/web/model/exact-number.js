/** A number whose digits a JavaScript number cannot hold; it keeps them as they came. */
export class ExactNumber {
  constructor(digits) {
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }
}
