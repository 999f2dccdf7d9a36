/** A number whose digits a JavaScript number cannot hold; it keeps all of them. */
export class ExactNumber {
  constructor(digits) {
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }
}
