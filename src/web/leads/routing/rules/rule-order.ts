/** What can be ordered: the catch-all rule always stays last. */
type Ordered = Readonly<{ id: string; isCatchAll: boolean }>

/** The rules with one moved up or down; null if it can't move that way. */
export function moveBy<R extends Ordered>(rules: readonly R[], id: string, by: -1 | 1): R[] | null {
  const other = rules[rules.findIndex((rule) => rule.id === id) + by]
  return other === undefined ? null : moveTo(rules, id, other.id)
}

/** The rules with one at the position of another one; null if nothing moves, or if one of them is the catch-all rule. */
export function moveTo<R extends Ordered>(rules: readonly R[], id: string, toId: string): R[] | null {
  const from = rules.findIndex((rule) => rule.id === id)
  const to = rules.findIndex((rule) => rule.id === toId)
  const [rule, other] = [rules[from], rules[to]]
  if (rule === undefined || other === undefined || from === to) return null
  if (rule.isCatchAll || other.isCatchAll) return null
  return rules.toSpliced(from, 1).toSpliced(to, 0, rule)
}

/** The rules with one directly after another one, for a copy. */
export function moveAfter<R extends Ordered>(rules: readonly R[], id: string, afterId: string): R[] {
  const rule = rules.find((one) => one.id === id)
  if (rule === undefined) return [...rules]
  const others = rules.filter((one) => one.id !== id)
  return others.toSpliced(others.findIndex((one) => one.id === afterId) + 1, 0, rule)
}

/** What the server takes: the IDs in order, without the catch-all rule. */
export const orderedIds = (rules: readonly Ordered[]): string[] =>
  rules.filter(({ isCatchAll }) => !isCatchAll).map(({ id }) => id)
