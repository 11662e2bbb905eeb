import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { FeedMapping } from './mapping.ts'
import { PRESETS } from './presets.ts'
import { TriedMapping } from './tried-mapping.ts'
import { PROVIDER_MAPPING_LIST } from './provider-mapping-list.ts'

/** The largest sample that is tried, in bytes as they are unpacked; what follows in a larger file is not looked at. */
export const MOST_SAMPLE = 8_000_000
/** So many rows of a sample are mapped. */
export const MOST_SAMPLE_ROWS = 2_000

const PRESET_KEYS = PRESETS.map(({ key }) => key)
const provider = z.enum(PRESET_KEYS, 'There is no such preset.').nullable()

const row = {
  id: z.string(),
  name: z.string(),
  provider: z.string().nullable(),
  /** How many fields of a vehicle it fills. */
  fields: z.number().int(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
}
export const ProviderMappingRow = z.object(row)
export type ProviderMappingRow = z.infer<typeof ProviderMappingRow>

/** How the feed of one provider becomes vehicles. */
export const ProviderMapping = z.object({ ...row, mapping: FeedMapping })
export type ProviderMapping = z.infer<typeof ProviderMapping>

const name = line(100, 'Name')
export const NewProviderMapping = z.strictObject({
  name,
  provider: provider.optional().default(null),
  mapping: FeedMapping,
})
export type NewProviderMapping = z.infer<typeof NewProviderMapping>

/** What `edit-provider-mapping` answered may come back whole; only the fields that are there are changed. */
export const ProviderMappingChange = z
  .strictObject({
    id: Id,
    version: Version,
    name: name.optional(),
    provider: provider.optional(),
    mapping: FeedMapping.optional(),
    fields: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .transform(({ fields: _fields, updatedAt: _at, updatedBy: _by, ...change }) => change)

/** What an export holds, and what an import takes. */
export const MappingFile = z.strictObject({
  kind: z.literal('forecourt-provider-mapping', 'This is no file of a provider mapping.'),
  format: z.literal(1, 'This file is of another version of the product.'),
  ...NewProviderMapping.shape,
})
export type MappingFile = z.infer<typeof MappingFile>

const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1).max(2_147_483_647))

export const providerMappings = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-provider-mappings',
    allow: can(Func.providerMappings, Opr.list),
    summary: "The customer's provider mappings, as a queried list.",
    input: listQuery(PROVIDER_MAPPING_LIST),
    output: queriedList(ProviderMappingRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-provider-mapping/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary: 'One provider mapping with all of its expressions.',
    input: z.strictObject({ id: Id }),
    output: ProviderMapping,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-provider-mapping',
    allow: can(Func.providerMappings, Opr.create),
    summary: 'Adds a provider mapping. A name already in use answers 409.',
    input: NewProviderMapping,
    output: ProviderMapping,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-provider-mapping',
    allow: can(Func.providerMappings, Opr.update),
    summary: 'Changes a provider mapping; the earlier state stays as a version. A stale version answers 409.',
    input: ProviderMappingChange,
    output: ProviderMapping,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-provider-mapping/{id}',
    allow: can(Func.providerMappings, Opr.delete),
    summary: 'Deletes a provider mapping with its versions.',
    input: z.strictObject({ id: Id }),
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/administration/provider-mapping-versions/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary: 'The last 200 states in which a provider mapping was saved, newest first.',
    input: z.strictObject({ id: Id }),
    output: z.array(
      z.object({
        version: z.number().int(),
        name: z.string(),
        fields: z.number().int(),
        at: Instant,
        by: z.string().nullable(),
      }),
    ),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/administration/restore-provider-mapping',
    allow: can(Func.providerMappings, Opr.update),
    summary: 'Makes an earlier state of a provider mapping the newest version. A stale version answers 409.',
    input: z.strictObject({ id: Id, version: Version, to: number }),
    output: ProviderMapping,
  }),
  exportOne: endpoint({
    method: 'GET',
    path: '/api/administration/export-provider-mapping/{id}',
    kind: 'download',
    allow: can(Func.providerMappings, Opr.export),
    summary: 'One provider mapping as a JSON file, to be imported elsewhere.',
    input: z.strictObject({ id: Id }),
  }),
  importOne: endpoint({
    method: 'POST',
    path: '/api/administration/import-provider-mapping',
    allow: can(Func.providerMappings, Opr.create),
    summary: 'Adds the provider mapping of an exported file. A name already in use gets a number.',
    input: MappingFile,
    output: ProviderMapping,
  }),
  attempt: endpoint({
    method: 'POST',
    path: '/api/administration/try-provider-mapping',
    kind: 'upload',
    allow: can(Func.providerMappings, Opr.read),
    summary:
      'Reads a sample of a feed, as a file, also packed as ZIP or gzip, or in `text`, and answers its columns, a proposed mapping, and what `mapping` (JSON) makes of it. A second file is joined as the mapping says. Nothing is kept.',
    input: z.strictObject({
      /** A mapping as JSON; without it the proposed one is tried. */
      mapping: z.string().max(500_000).optional(),
      /** Start from this preset. */
      preset: z.enum(PRESET_KEYS, 'There is no such preset.').optional(),
      text: z.string().max(1_000_000, 'Send more than a million characters as a file.').optional(),
    }),
    output: TriedMapping,
    writes: false,
  }),
}
