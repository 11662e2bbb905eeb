/**
 * A response that the database has already written as JSON. For speed, it is not validated in production. The test server
 * validates each one against its endpoint, so an untested handler must not use it.
 */
export class JsonText<T> {
  readonly text: string
  /** The type of its content. It exists for the compiler only. */
  declare readonly content: T

  constructor(text: string) {
    this.text = text
  }
}
