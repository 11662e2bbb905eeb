import type { RawBuilder, SqlBool } from 'kysely'
import { readRule } from '#contract/expressions/read.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import { clock } from '#server/clock.ts'
import type { Member } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import type { FieldSql, ListSource } from './list-source.ts'
import { ruleToSql } from './rule-sql.ts'

/**
 * A filter rule as SQL, limited to the fields the user may see, and whether it needs the joined tables.
 * @throws Failure 400 on `filter` with the error and its position.
 */
export function ruleOf<Field extends string>(
  source: ListSource<Field>,
  actor: Member,
  filter: string,
): { isMatch: RawBuilder<SqlBool>; joins: boolean } {
  const read = readRule(filter, variablesOf(source.list, actor.may))
  if (read.ok) {
    const fields: Readonly<Record<string, FieldSql>> = source.fields
    const joins = [...fieldsIn(read.rule.tree)].some((name) => fields[name]?.joins === 'value')
    return {
      isMatch: ruleToSql(read.rule, source.fields, { now: clock.date(), zone: actor.timeZone }),
      joins,
    }
  }
  const { message, from } = read.problem
  throw refused('Some fields are invalid.', {
    filter: `The rule has an error at character ${from + 1}: ${message}`,
  })
}

/** The names of all fields in a rule. */
function fieldsIn(tree: unknown): Set<string> {
  if (typeof tree !== 'object' || tree === null) return new Set()
  return new Set(
    Object.entries(tree).flatMap(([key, part]: [string, unknown]) =>
      key === 'field' && typeof part === 'string' ? [part] : [...fieldsIn(part)],
    ),
  )
}
