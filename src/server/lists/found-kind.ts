import type { RawBuilder } from 'kysely'
import type { SearchResult } from '#contract/home/search.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import type { ListSource } from './list-source.ts'

/** Records that the search of the whole product finds. Every domain makes one for each of its kinds. */
export type FoundKind = Readonly<{
  kind: SearchResult['kind']
  /** Without it nothing of the kind is found. */
  permission: Permission
  /** Where the records are, in whose reach, and what they are called. */
  source: Pick<ListSource, 'from' | 'within' | 'id' | 'title'>
  /** What tells records of one name apart. */
  about: RawBuilder<string>
  /** The page that shows the record. */
  path: (id: string, actor: Member) => string
}>
