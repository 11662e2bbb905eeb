/** A range of characters in a rule. */
export type Span = Readonly<{ from: number; to: number }>

/** Stops parsing a rule. Never leaves `readRule`. */
export class RuleError extends Error {
  override name = 'RuleError'
  readonly span: Span

  constructor(message: string, { from, to }: Span) {
    super(message)
    this.span = { from, to }
  }
}
