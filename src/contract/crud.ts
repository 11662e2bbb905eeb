import { z } from 'zod'
import { deletionOf, SelectionSeen } from './deletion.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './fields.ts'
import { Job } from './jobs/jobs.ts'
import type { List } from './lists/list.ts'
import { Opr, type OprNumber, type Permission } from './permissions.ts'
import { listQuery, queriedList } from './queried-list.ts'
import type { Field, RecordOf } from './record.ts'

type Path = `/${string}`
type Verb = 'list' | 'get' | 'add' | 'update' | 'remove' | 'removeMany'

type Declared<Name extends string> = {
  list: List<Name>
  /** Whose operations the calls need. */
  func: Readonly<{ func: number; operations: readonly OprNumber[] }>
  /** Paths of GET endpoints that show the record too, besides its list. */
  changes?: readonly Path[]
  /** Paths other than those that follow from the list: `/api/customers/get-lots`, `edit-lot/{id}`, `add-lot` and so on. */
  paths?: Partial<Record<Verb, Path>>
  /** Sentences for the API reference that say more than the usual ones. */
  summaries?: Partial<Record<Verb, string>>
}

/**
 * What callers can do with every record: list, get, add, update, delete, and delete many as a job that can be undone. The paths
 * follow from the page of the list and its nouns. On the server `recordTable` handles the calls.
 *
 *     export const suppliers = crud(supplierRecord, { list: SUPPLIER_LIST, func: Func.suppliers })
 */
export function crud<F extends Readonly<Record<string, Field>>, R extends z.ZodRawShape, Name extends string>(
  record: RecordOf<F, R>,
  { list, func, changes = [], paths = {}, summaries = {} }: Declared<Name>,
) {
  const [one, many] = list.nouns
  const usual = usualPaths(list)
  const path = (verb: Verb): Path => paths[verb] ?? usual[verb]
  const shown = [path('list'), ...changes]
  const may = (opr: OprNumber): Permission => ({ func: func.func, opr })
  return {
    list: endpoint({
      method: 'GET',
      path: path('list'),
      allow: may(Opr.list),
      summary: summaries.list ?? `Lists the ${many} within the caller's reach.`,
      input: listQuery(list),
      output: queriedList(record.schema),
    }),
    get: endpoint({
      method: 'GET',
      path: path('get'),
      allow: may(Opr.read),
      summary: summaries.get ?? `Returns one ${one} with all editable fields.`,
      input: z.strictObject({ id: Id }),
      output: record.schema,
    }),
    add: endpoint({
      method: 'POST',
      path: path('add'),
      allow: may(Opr.create),
      summary: summaries.add ?? `Adds ${withArticle(one)}.`,
      input: record.create,
      output: record.schema,
      changes: shown,
    }),
    update: endpoint({
      method: 'POST',
      path: path('update'),
      allow: may(Opr.update),
      summary:
        summaries.update ??
        `Updates ${withArticle(one)}. Returns 409 with the current ${one} if the version is outdated.`,
      input: record.update,
      output: record.schema,
      changes: shown,
    }),
    remove: endpoint({
      ...deletionOf(record.schema),
      path: path('remove'),
      allow: may(Opr.delete),
      summary: summaries.remove ?? `Deletes ${withArticle(one)}.`,
      changes: shown,
    }),
    removeMany: endpoint({
      method: 'POST',
      path: path('removeMany'),
      allow: may(Opr.delete),
      summary: summaries.removeMany ?? `Starts a job that deletes many ${many}, which can be undone.`,
      input: SelectionSeen,
      output: Job,
      current: record.schema,
    }),
  }
}

/** `/api/customers/` and `lot` of the list of lots, whose page is `/customers/lots`. */
function usualPaths({ page, nouns }: List): Record<Verb, Path> {
  const [one, many] = nouns.map((noun) => noun.toLowerCase().replaceAll(' ', '-'))
  const base: Path = `/api/${page.split('/')[1] ?? ''}`
  return {
    list: `${base}/get-${many}`,
    get: `${base}/edit-${one}/{id}`,
    add: `${base}/add-${one}`,
    update: `${base}/update-${one}`,
    remove: `${base}/delete-${one}/{id}`,
    removeMany: `${base}/delete-${many}`,
  }
}

const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`
