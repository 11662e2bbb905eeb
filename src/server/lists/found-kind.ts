import type { RawBuilder } from 'kysely'
import type { SearchResult } from '#contract/home/search.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import type { ListSource } from './list-source.ts'

/** A type of record that the global search finds. Each domain defines its own. */
export type FoundKind = Readonly<{
  kind: SearchResult['kind']
  /** Required to find records of this type. */
  permission: Permission
  /** The source, reach and titles of the records. */
  source: Pick<ListSource, 'from' | 'within' | 'id' | 'title'>
  /** Details that distinguish records with the same name. */
  about: RawBuilder<string>
  /** The path of the record's page. */
  path: (id: string, actor: Member) => string
}>
