import type { RawBuilder, SqlBool } from 'kysely'
import { readRule } from '#contract/expressions/read.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import { clock } from '#server/clock.ts'
import type { Member } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import type { FieldSql, ListSource } from './list-source.ts'
import { ruleToSql } from './rule-sql.ts'

/**
 * A rule over a list as SQL, read with what its reader may see, and whether it asks for more than the source's table.
 * @throws Failure 400 on `filter`: what is wrong, and at which character.
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
  throw refused('Some fields are not right.', {
    filter: `The rule cannot be read at character ${from + 1}: ${message}`,
  })
}

/** The names that stand anywhere in a rule. */
function fieldsIn(tree: unknown): Set<string> {
  if (typeof tree !== 'object' || tree === null) return new Set()
  return new Set(
    Object.entries(tree).flatMap(([key, part]: [string, unknown]) =>
      key === 'field' && typeof part === 'string' ? [part] : [...fieldsIn(part)],
    ),
  )
}
