import { z } from 'zod'
import { deletionOf } from './deletion.ts'
import { endpoint } from './endpoint.ts'
import { Id, Instant, Version } from './fields.ts'
import type { List } from './lists/list.ts'
import { Opr, type OprNumber, type Permission } from './permissions.ts'
import { listQuery, queriedList } from './queried-list.ts'

type Verb =
  | 'list'
  | 'get'
  | 'add'
  | 'update'
  | 'publish'
  | 'openDraft'
  | 'discardDraft'
  | 'duplicate'
  | 'versions'
  | 'version'
  | 'remove'

type Declared<Name extends string> = {
  list: List<Name>
  /** Of its paths: `/api/dvp`. */
  base: `/api/${string}`
  /** Whose operations the calls need. */
  func: Readonly<{ func: number; operations: readonly OprNumber[] }>
  /** Sentences for the API reference that say more than the usual ones. */
  summaries: Readonly<Record<Extract<Verb, 'list' | 'add' | 'update' | 'publish' | 'remove'>, string>> &
    Readonly<Partial<Record<Verb, string>>>
}

type RecordSchemas<Schema, Create, Update> = { schema: Schema; create: Create; update: Update }
/** A published version in the list of versions, and on its own. It never changes. */
type Versions<Listed, Whole> = { listed: Listed; whole: Whole }

/**
 * What callers can do with a document that has a draft and published versions. A domain picks the calls that its document
 * has, and adds its own. The paths follow from its noun. On the server `documentTable` handles the calls.
 *
 * Some documents can always be edited. With others, publishing closes the draft, and `openDraft` starts the next one.
 *
 *     const { list, get, add, update, publish, versions, remove } = versionedDocument(pageRecord, {
 *       list: PAGE_LIST, base: '/api/dvp', func: Func.promoPages, row: pageRecord.schema,
 *       versions: { listed: PageVersionSummary, whole: PageVersion }, summaries: { ... },
 *     })
 */
export function versionedDocument<
  Schema extends z.ZodType,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Row extends z.ZodType,
  Listed extends z.ZodType,
  Whole extends z.ZodType,
  Name extends string,
>(
  record: RecordSchemas<Schema, Create, Update>,
  declared: Declared<Name> & { row: Row; versions: Versions<Listed, Whole> },
) {
  const shared = sharedBy(declared)
  return {
    /** What another call makes stale that adds a document, or changes one. */
    stale: { added: shared.inList, changed: shared.shown },
    ...recordCalls(record, declared, shared),
    ...draftCalls(record.schema, shared),
    ...versionCalls(declared.versions, { ...shared, ...declared.summaries }),
  }
}

/** What each saved version has besides its content. */
export const savedVersion = {
  /** That of the record which it was. */
  version: z.number().int(),
  at: Instant,
  /** Null if the product made the change. */
  by: z.string().nullable(),
}

/**
 * What callers can do with the former states of a record without a draft, which counts as soon as it is saved: each save that
 * changes it keeps one. On the server `savedVersions` stores and reads them (decision 258).
 */
export function savedVersions<Schema extends z.ZodType, Listed extends z.ZodType, Whole extends z.ZodType>(
  schema: Schema,
  declared: Pick<Declared<string>, 'base' | 'func'> & {
    list: Pick<List, 'nouns'>
    versions: Versions<Listed, Whole>
    /** How many of them are listed. */
    most: number
    /** Of the call that restores one, if it says more than the usual one. */
    restores?: string
  },
) {
  const named = namesOf(declared)
  const { one, slug, paths, may } = named
  return {
    ...versionCalls(declared.versions, {
      ...named,
      versions: `Returns the last ${declared.most} saved versions of a ${one}, newest first.`,
      version: `Returns one saved version of a ${one}.`,
    }),
    restore: endpoint({
      method: 'POST',
      path: `${declared.base}/restore-${slug}`,
      allow: may(Opr.update),
      summary:
        declared.restores ??
        `Restores an earlier version of a ${one} as the newest one. A stale version returns 409.`,
      input: z.strictObject({ id: Id, version: Version, to: VersionNumber }),
      output: schema,
      changes: [paths.list, paths.versions],
    }),
  }
}

function sharedBy(declared: Omit<Declared<string>, 'list'> & { list: Pick<List, 'nouns'> }) {
  const named = namesOf(declared)
  const { list, get } = named.paths
  return { ...named, summaries: declared.summaries, inList: [list], shown: [list, get] }
}

function namesOf({
  list,
  base,
  func,
}: Pick<Declared<string>, 'base' | 'func'> & { list: Pick<List, 'nouns'> }) {
  const [one, many] = list.nouns
  const slug = slugOf(one)
  const paths = {
    list: `${base}/get-${slugOf(many)}`,
    get: `${base}/edit-${slug}/{id}`,
    versions: `${base}/${slug}-versions/{id}`,
  } as const
  return {
    one,
    slug,
    base,
    paths,
    may: (opr: OprNumber): Permission => ({ func: func.func, opr }),
  }
}
/** `promo-page` in a path. */
const slugOf = (noun: string): string => noun.toLowerCase().replaceAll(' ', '-')
type Shared = ReturnType<typeof sharedBy>

function recordCalls<
  Schema extends z.ZodType,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Row extends z.ZodType,
  Name extends string,
>(
  record: RecordSchemas<Schema, Create, Update>,
  { list, row }: { list: List<Name>; row: Row },
  { one, slug, base, summaries, paths, may, inList, shown }: Shared,
) {
  return {
    list: endpoint({
      method: 'GET',
      path: paths.list,
      allow: may(Opr.list),
      summary: summaries.list,
      input: listQuery(list),
      output: queriedList(row),
    }),
    get: endpoint({
      method: 'GET',
      path: paths.get,
      allow: may(Opr.read),
      summary: summaries.get ?? `Returns one ${one} with its draft.`,
      input: byId,
      output: record.schema,
    }),
    add: endpoint({
      method: 'POST',
      path: `${base}/add-${slug}`,
      allow: may(Opr.create),
      summary: summaries.add,
      input: record.create,
      output: record.schema,
      changes: inList,
    }),
    update: endpoint({
      method: 'POST',
      path: `${base}/update-${slug}`,
      allow: may(Opr.update),
      summary: summaries.update,
      input: record.update,
      output: record.schema,
      changes: shown,
    }),
    remove: endpoint({
      ...deletionOf(record.schema),
      path: `${base}/delete-${slug}/{id}`,
      allow: may(Opr.delete),
      summary: summaries.remove,
      changes: inList,
    }),
  }
}

function draftCalls<Schema extends z.ZodType>(
  output: Schema,
  { one, slug, base, summaries, paths, may, inList, shown }: Shared,
) {
  return {
    publish: endpoint({
      method: 'POST',
      path: `${base}/publish-${slug}`,
      allow: may(Opr.execute),
      summary: summaries.publish,
      input: atVersion,
      output,
      changes: [...shown, paths.versions],
    }),
    openDraft: endpoint({
      method: 'POST',
      path: `${base}/open-${slug}-draft`,
      allow: may(Opr.update),
      summary: summaries.openDraft ?? 'Opens a draft of the next version, equal to the published one.',
      input: byId,
      output,
      changes: shown,
    }),
    discardDraft: endpoint({
      method: 'POST',
      path: `${base}/discard-${slug}-draft`,
      allow: may(Opr.update),
      summary:
        summaries.discardDraft ??
        `Discards the draft of a published ${one}. Returns 409 if the draft has changed since \`version\`, or there is no published version.`,
      input: atVersion,
      output,
      changes: shown,
    }),
    duplicate: endpoint({
      method: 'POST',
      path: `${base}/duplicate-${slug}`,
      allow: may(Opr.create),
      summary: summaries.duplicate ?? `Adds a copy of a ${one} as a draft.`,
      input: byId,
      output,
      changes: inList,
    }),
  }
}

function versionCalls<Listed extends z.ZodType, Whole extends z.ZodType>(
  { listed, whole }: Versions<Listed, Whole>,
  {
    one,
    slug,
    base,
    paths,
    may,
    versions = `Lists the published versions of a ${one}, newest first.`,
    version = 'Returns one published version.',
  }: ReturnType<typeof namesOf> & Partial<Record<'versions' | 'version', string>>,
) {
  return {
    versions: endpoint({
      method: 'GET',
      path: paths.versions,
      allow: may(Opr.read),
      summary: versions,
      input: byId,
      output: z.array(listed),
    }),
    version: endpoint({
      method: 'GET',
      path: `${base}/${slug}-version/{id}/{number}`,
      allow: may(Opr.read),
      summary: version,
      input: z.strictObject({ id: Id, number: VersionNumber }),
      output: whole,
    }),
  }
}

const byId = z.strictObject({ id: Id })
/** The version of the record, not the number of a published one. */
const atVersion = z.strictObject({ id: Id, version: z.number().int() })
const VersionNumber = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1).max(2_147_483_647))
