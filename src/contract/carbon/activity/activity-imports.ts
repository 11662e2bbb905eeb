import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { FileFormat, IMPORT_FIELDS, ImportMapping } from './import-mapping.ts'

/** So many lines are shown one by one; all are counted, and refused ones come as a file. */
export const MAX_LINES_SHOWN = 300

/** What is asked of a file. Multipart carries text: it is sent as JSON. */
export const ImportRequest = z.strictObject({
  /** Null: the first sheet that has lines. */
  sheet: z.union([z.string().max(200), z.null()]),
  /** Null: what was remembered of such a file, or else what is guessed. */
  mapping: z.union([ImportMapping, z.null()]),
  /** How the person writes numbers and days: decides where the file does not. */
  usual: FileFormat,
  /** The source that is open: lines belong to it where the file names none. */
  sourceId: z.union([Id, z.null()]),
})
export type ImportRequest = z.infer<typeof ImportRequest>

/** `ready` becomes a record, `known` is there already, `left` is unusual and was left out. */
export const LINE_STATES = ['ready', 'known', 'left', 'refused'] as const

const LineProblem = z.object({
  /** Null: of the whole line. */
  field: z.enum(IMPORT_FIELDS).nullable(),
  level: z.enum(['error', 'warning']),
  message: z.string(),
})

export const ImportLine = z.object({
  /** As the file counts, from 1. */
  line: z.number().int(),
  state: z.enum(LINE_STATES),
  /** What the line says in each column that is matched. */
  cells: z.partialRecord(z.enum(IMPORT_FIELDS), z.string()),
  problems: z.array(LineProblem),
})
export type ImportLine = z.infer<typeof ImportLine>

const counts = {
  /** Lines with something in them. */
  lines: z.number().int(),
  known: z.number().int(),
  left: z.number().int(),
  refused: z.number().int(),
}

const Unknown = z.array(
  z.object({
    text: z.string(),
    lines: z.number().int(),
    /** The nearest first. */
    near: z.array(z.string()),
  }),
)

export const ImportPreview = z.object({
  sheets: z.array(z.object({ name: z.string(), lines: z.number().int() })),
  sheet: z.string(),
  columns: z.array(z.object({ title: z.string(), samples: z.array(z.string()) })),
  mapping: ImportMapping,
  /** A file like it was brought in before, and is matched the same way. */
  isRemembered: z.boolean(),
  ...counts,
  ready: z.number().int(),
  /** Of those that are ready, how many are unusual. */
  warned: z.number().int(),
  /** The sentence that says so. */
  sentence: z.string(),
  /** Those with problems first. */
  shown: z.array(ImportLine),
  /** Names that no facility or kind of source has, with the numbers and ids they may mean. */
  unknownFacilities: Unknown,
  unknownSources: Unknown,
  /** What lines can be said to belong to. */
  facilities: z.array(z.object({ id: z.string(), name: z.string() })),
  sourceTypes: z.array(z.object({ id: z.string(), title: z.string() })),
})
export type ImportPreview = z.infer<typeof ImportPreview>

export const ActivityImport = z.object({
  id: z.string(),
  fileName: z.string(),
  sheet: z.string(),
  lines: z.number().int(),
  saved: z.number().int(),
  known: z.number().int(),
  refused: z.number().int(),
  /** Of its records, how many are still as they were brought in. */
  untouched: z.number().int(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
  undoneAt: Instant.nullable(),
  undoneBy: z.string().nullable(),
})
export type ActivityImport = z.infer<typeof ActivityImport>

const file = z.strictObject({ inventoryId: Id, asked: z.string().max(200_000) })

export const activityImports = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-activity-imports',
    allow: can(Func.carbonEmission, Opr.list),
    summary: 'The files of activity that were brought into an inventory, the newest first.',
    input: z.strictObject({ inventoryId: Id }),
    output: z.array(ActivityImport),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/carbon/read-activity-import',
    kind: 'upload',
    allow: can(Func.carbonEmission, Opr.create),
    summary:
      'Reads a file of activity (CSV or XLSX) and tells what each line would become; nothing is kept. `asked` (JSON) stands before the file.',
    input: file,
    output: ImportPreview,
    writes: false,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-activity-import',
    kind: 'upload',
    allow: can(Func.carbonEmission, Opr.create),
    summary:
      'Brings a file of activity in: lines that are right become records, in one transaction, and the others are kept with their reasons.',
    input: file,
    output: z.object({
      import: ActivityImport.nullable(),
      ...counts,
      saved: z.number().int(),
      sentence: z.string(),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/carbon/undo-activity-import',
    allow: can(Func.carbonEmission, Opr.delete),
    summary:
      'Takes an import back: deletes its records that nobody changed since, and names the others with the reason.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      deleted: z.number().int(),
      kept: z.array(z.object({ line: z.number().int(), message: z.string() })),
    }),
  }),
  refused: endpoint({
    method: 'GET',
    path: '/api/carbon/get-refused-activity/{id}',
    kind: 'download',
    allow: can(Func.carbonEmission, Opr.list),
    summary: 'The lines of an import that were refused, as they were, with the reasons (CSV).',
    input: z.strictObject({ id: Id }),
  }),
}
