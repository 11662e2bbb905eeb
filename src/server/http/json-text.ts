/**
 * An answer that is JSON already, made by the database. Nobody checks it while the product runs: its speed is why it is
 * there. The tests' server checks every one against its endpoint, so a handler that is not tested must not use it.
 */
export class JsonText<T> {
  readonly text: string
  /** What it says, for the compiler alone. */
  declare readonly says: T

  constructor(text: string) {
    this.text = text
  }
}
