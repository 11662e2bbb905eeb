/** Characters of the text of a rule. */
export type Span = Readonly<{ from: number; to: number }>

/** Stops the reading of a rule. Never leaves `readRule`. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly span: Span

  constructor(message: string, { from, to }: Span) {
    super(message)
    this.span = { from, to }
  }
}
