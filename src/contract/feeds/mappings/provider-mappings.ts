import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { savedVersion, savedVersions } from '#contract/versioned-document.ts'
import { FeedMapping } from './mapping.ts'
import { PRESETS } from './presets.ts'
import { TriedMapping } from './tried-mapping.ts'
import { PROVIDER_MAPPING_LIST } from './provider-mapping-list.ts'

/** How much of a sample is read, in bytes after unpacking; the rest of a larger file is ignored. */
export const MAX_SAMPLE_BYTES = 8_000_000
/** How many rows of a sample are mapped. */
export const MAX_SAMPLE_ROWS = 2_000

const PRESET_KEYS = PRESETS.map(({ key }) => key)
const provider = z.enum(PRESET_KEYS, 'Choose one of the templates.').nullable()

const row = {
  id: z.string(),
  name: z.string(),
  provider: z.string().nullable(),
  /** How many vehicle fields it fills. */
  fields: z.number().int(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
}
export const ProviderMappingRow = z.object(row)
export type ProviderMappingRow = z.infer<typeof ProviderMappingRow>

/** How one provider's feed is turned into vehicles. */
export const ProviderMapping = z.object({ ...row, mapping: FeedMapping })
export type ProviderMapping = z.infer<typeof ProviderMapping>

const name = line(100, 'Name')
export const NewProviderMapping = z.strictObject({
  name,
  provider: provider.optional().default(null),
  mapping: FeedMapping,
})
export type NewProviderMapping = z.infer<typeof NewProviderMapping>

/** Accepts the whole response of `edit-provider-mapping`; only the fields present are changed. */
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

/** The format of exported and imported files. */
export const MappingFile = z.strictObject({
  kind: z.literal('forecourt-provider-mapping', "This file isn't an exported provider mapping."),
  format: z.literal(1, 'This file was exported by a different version of Forecourt.'),
  ...NewProviderMapping.shape,
})
export type MappingFile = z.infer<typeof MappingFile>

/** A mapping as it was saved at a time. */
export const MappingVersion = z.object({
  ...savedVersion,
  name: z.string(),
  provider: z.string().nullable(),
  mapping: FeedMapping,
})
/** How many versions of a mapping are listed. */
export const MAX_MAPPING_VERSIONS = 200
const { versions, restore } = savedVersions(ProviderMapping, {
  list: PROVIDER_MAPPING_LIST,
  base: '/api/administration',
  func: Func.providerMappings,
  versions: {
    listed: z.object({ ...savedVersion, name: z.string(), fields: z.number().int() }),
    whole: MappingVersion,
  },
  most: MAX_MAPPING_VERSIONS,
})

/** What shows provider mappings besides the open one. */
const SHOWS_MAPPINGS = [
  '/api/administration/get-provider-mappings',
  '/api/administration/provider-mapping-versions/{id}',
] as const

export const providerMappings = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-provider-mappings',
    allow: can(Func.providerMappings, Opr.list),
    summary: "Lists the customer's provider mappings, with search, filters and paging.",
    input: listQuery(PROVIDER_MAPPING_LIST),
    output: queriedList(ProviderMappingRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-provider-mapping/{id}',
    allow: can(Func.providerMappings, Opr.read),
    summary: 'Returns one provider mapping with all of its field expressions.',
    input: z.strictObject({ id: Id }),
    output: ProviderMapping,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-provider-mapping',
    allow: can(Func.providerMappings, Opr.create),
    summary: 'Adds a provider mapping. A name already in use returns 409.',
    input: NewProviderMapping,
    output: ProviderMapping,
    changes: SHOWS_MAPPINGS,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-provider-mapping',
    allow: can(Func.providerMappings, Opr.update),
    summary: 'Updates a provider mapping and keeps the previous version. A stale version returns 409.',
    input: ProviderMappingChange,
    output: ProviderMapping,
    changes: SHOWS_MAPPINGS,
  }),
  remove: endpoint({
    ...deletionOf(ProviderMapping),
    path: '/api/administration/delete-provider-mapping/{id}',
    allow: can(Func.providerMappings, Opr.delete),
    summary: 'Deletes a provider mapping and all of its versions.',
    changes: ['/api/administration/get-provider-mappings'],
  }),
  versions,
  restore,
  exportOne: endpoint({
    method: 'GET',
    path: '/api/administration/export-provider-mapping/{id}',
    kind: 'download',
    allow: can(Func.providerMappings, Opr.export),
    summary: 'Exports one provider mapping as a JSON file that can be imported elsewhere.',
    input: z.strictObject({ id: Id }),
  }),
  importOne: endpoint({
    method: 'POST',
    path: '/api/administration/import-provider-mapping',
    allow: can(Func.providerMappings, Opr.create),
    summary: 'Adds a provider mapping from an exported file. A name already in use gets a number appended.',
    input: MappingFile,
    output: ProviderMapping,
    changes: SHOWS_MAPPINGS,
  }),
  attempt: endpoint({
    method: 'POST',
    path: '/api/administration/try-provider-mapping',
    kind: 'upload',
    allow: can(Func.providerMappings, Opr.read),
    summary:
      'Reads a sample feed, sent as a file (plain, ZIP or gzip) or in `text`, and returns its columns, a proposed mapping, and the results of `mapping` (JSON). A second file is joined as the mapping specifies. Nothing is stored.',
    input: z.strictObject({
      /** A mapping as JSON; by default the proposed one is tried. */
      mapping: z.string().max(500_000).optional(),
      /** Start from this preset. */
      preset: z.enum(PRESET_KEYS, 'Choose one of the templates.').optional(),
      text: z
        .string()
        .max(1_000_000, 'The text can have at most 1,000,000 characters. Send longer samples as a file.')
        .optional(),
    }),
    output: TriedMapping,
    writes: false,
  }),
}
