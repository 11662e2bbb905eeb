import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { SOURCE_NAMES } from '#contract/carbon/inventories/source-names.ts'
import { FileFormat, IMPORT_FIELDS, ImportMapping } from './import-mapping.ts'

/** The most lines shown individually. All lines are counted, and rejected ones can be downloaded as a file. */
export const MAX_LINES_SHOWN = 300

/** The options for reading a file. Multipart fields carry text, so this is sent as JSON. */
export const ImportRequest = z.strictObject({
  /** Null: the first sheet with a table of bills, or else the first one that isn't empty. */
  sheet: z.union([z.string().max(200), z.null()]),
  /** Null: the mapping remembered for this kind of file, or a guess. */
  mapping: z.union([ImportMapping, z.null()]),
  /** The user's number and date format, for files that don't make theirs clear. */
  usual: FileFormat,
  /** The open source: used for lines that don't name one. */
  sourceId: z.union([Id, z.null()]),
})
export type ImportRequest = z.infer<typeof ImportRequest>

/**
 * `ready` becomes a record, `known` was already imported, `left` is left out on purpose: a totals line, a note, or unusual.
 * `open` waits for the answer to a question.
 */
export const LINE_STATES = ['ready', 'known', 'left', 'open', 'refused'] as const

const LineProblem = z.object({
  /** Null: the problem is with the whole line. */
  field: z.enum(IMPORT_FIELDS).nullable(),
  level: z.enum(['error', 'warning']),
  message: z.string(),
})

export const ImportLine = z.object({
  /** Tells lines of the preview apart. */
  key: z.string(),
  /** The line number in the file, from 1. */
  line: z.number().int(),
  state: z.enum(LINE_STATES),
  /** The text in each mapped column. */
  cells: z.partialRecord(z.enum(IMPORT_FIELDS), z.string()),
  /** The text in each column that no field takes, in the order of `unused`. */
  rest: z.array(z.string()),
  /** The period as it was read; null if a date can't be read. */
  period: z.object({ first: z.string(), last: z.string() }).nullable(),
  /** The quantity with its unit as it would be stored; null if it can't be read. */
  amount: z.object({ quantity: z.string(), unit: z.string() }).nullable(),
  /** What it would emit: kg CO2e, electricity location-based. Null: no result, or the line isn't ready. */
  kg: z.string().nullable(),
  problems: z.array(LineProblem),
})
export type ImportLine = z.infer<typeof ImportLine>

/** What the file leaves open, asked once for all of its lines. */
export const ImportQuestion = z.object({
  /** The key of its answer in the mapping. */
  id: z.string(),
  field: z.enum(IMPORT_FIELDS).nullable(),
  text: z.string(),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  /** The names of numbers to enter instead of a choice. The answer has them as plain digits: "99990/5". */
  inputs: z.array(z.string()),
  /** The answer that is used: given, or strongly suggested by the file. Null: its lines wait for one. */
  answer: z.string().nullable(),
  /** The user hasn't answered it. */
  isProposed: z.boolean(),
  /** How many lines it is about. */
  lines: z.number().int(),
})
export type ImportQuestion = z.infer<typeof ImportQuestion>

const counts = {
  /** Lines that aren't empty. */
  lines: z.number().int(),
  known: z.number().int(),
  left: z.number().int(),
  refused: z.number().int(),
  /** Lines that wait for the answer to a question. */
  open: z.number().int(),
}

const Unknown = z.array(
  z.object({
    text: z.string(),
    lines: z.number().int(),
    /** Closest match first. */
    near: z.array(z.string()),
  }),
)

export const ImportPreview = z.object({
  sheets: z.array(z.object({ name: z.string(), lines: z.number().int() })),
  sheet: z.string(),
  columns: z.array(z.object({ title: z.string(), samples: z.array(z.string()) })),
  mapping: ImportMapping,
  /** The columns with values that no field takes, by their place. They are kept with each record and can be read there. */
  unused: z.array(z.number().int()),
  /** The lines above the table, which are kept with the import. */
  above: z.array(z.string()),
  /** A similar file was imported before, and its mapping is used again. */
  isRemembered: z.boolean(),
  /**
   * A layout is confirmed once before its files are imported: with `key` as the answer `layout` in the mapping. Confirmed already if a
   * file of the same layout was imported as it is now, or if all headings mean one thing only. `notes`: what lines, notes and
   * names beside the figures say in words, at most ten.
   */
  layout: z.object({ key: z.string(), isConfirmed: z.boolean(), notes: z.array(z.string()) }),
  ...counts,
  ready: z.number().int(),
  /** How many of the ready lines are unusual. */
  warned: z.number().int(),
  /** A summary of these counts for the screen. */
  sentence: z.string(),
  /** Open ones first. */
  questions: z.array(ImportQuestion),
  /** The sums of the ready lines, by unit. */
  sums: z.array(z.object({ quantity: z.string(), unit: z.string() })),
  /** kg CO2e of the ready lines; null if none has a result. */
  kg: z.string().nullable(),
  /** How many of the ready lines have no result. */
  withoutResult: z.number().int(),
  /** Lines with problems first. */
  shown: z.array(ImportLine),
  /** Names that match no facility or source type, with the IDs they may mean. */
  unknownFacilities: Unknown,
  unknownSources: Unknown,
  /** What a line can be matched to. */
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
  /** How many of its records haven't changed since the import. */
  untouched: z.number().int(),
  /** What its records are of: the first sources, and how many there are. */
  sources: z.array(z.object({ facilityName: z.string(), sourceType: z.string(), ...SOURCE_NAMES })),
  sourceCount: z.number().int(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
  undoneAt: Instant.nullable(),
  undoneBy: z.string().nullable(),
})
export type ActivityImport = z.infer<typeof ActivityImport>

/** A line of a file that a record comes from, with every column as it was in the file. */
export const RecordOrigin = z.object({
  importId: z.string(),
  fileName: z.string(),
  sheet: z.string(),
  line: z.number().int(),
  /** The version of the record that the line became. */
  version: z.number().int(),
  importedAt: Instant,
  importedBy: z.string().nullable(),
  isUndone: z.boolean(),
  above: z.array(z.string()),
  columns: z.array(
    z.object({
      title: z.string(),
      value: z.string(),
      /** What it was imported as; null: no field took it, or it isn't known anymore. */
      field: z.enum(IMPORT_FIELDS).nullable(),
      isUnused: z.boolean(),
    }),
  ),
})
export type RecordOrigin = z.infer<typeof RecordOrigin>

const file = z.strictObject({ inventoryId: Id, asked: z.string().max(200_000) })

/** The records, the totals they are part of, the imports, and the data requests they answer. */
const SHOWS_RECORDS = [
  '/api/carbon/get-activity',
  '/api/carbon/get-totals',
  '/api/carbon/get-open-item-counts',
  '/api/carbon/get-open-items',
  '/api/carbon/get-ledger',
  '/api/carbon/get-activity-imports',
  '/api/carbon/get-data-requests',
  '/api/carbon/get-data-request/{id}',
  '/api/carbon/get-my-data-requests',
] as const

export const activityImports = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-activity-imports',
    allow: can(Func.activityData, Opr.list),
    summary: 'Lists the activity data files imported into an inventory, newest first.',
    input: z.strictObject({ inventoryId: Id }),
    output: z.array(ActivityImport),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/carbon/read-activity-import',
    kind: 'upload',
    allow: can(Func.activityData, Opr.create),
    summary:
      'Reads an activity data file (CSV or XLSX) and returns what each line would become. Nothing is saved. Send `asked` (JSON) before the file.',
    input: file,
    output: ImportPreview,
    writes: false,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-activity-import',
    kind: 'upload',
    allow: can(Func.activityData, Opr.create),
    summary:
      'Imports an activity data file. Valid lines become records in one transaction; the others are stored with the reasons. A new layout is confirmed first: send the key of `layout` in the preview as the answer `layout` in the mapping.',
    input: file,
    output: z.object({
      import: ActivityImport.nullable(),
      ...counts,
      saved: z.number().int(),
      sentence: z.string(),
    }),
    changes: SHOWS_RECORDS,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/carbon/undo-activity-import',
    allow: can(Func.activityData, Opr.delete),
    summary:
      'Undoes an import: deletes its records that have not changed since, restores the bills that it corrected, and lists the others with the reason.',
    input: z.strictObject({ id: Id }),
    output: z.object({
      deleted: z.number().int(),
      /** Bills that are again as they were before the import. */
      restored: z.number().int(),
      kept: z.array(z.object({ line: z.number().int(), message: z.string() })),
      /** Credits of other imports that still count, although the bills that they take back are gone. A sentence each. */
      loose: z.array(z.string()),
    }),
    changes: SHOWS_RECORDS,
  }),
  origin: endpoint({
    method: 'GET',
    path: '/api/carbon/get-activity-origin',
    allow: can(Func.activityData, Opr.list),
    summary:
      'Lists the lines of imported files that a record comes from, newest import first, with every column, also those that no field takes.',
    input: z.strictObject({ recordId: Id }),
    output: z.array(RecordOrigin),
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/carbon/get-imported-activity/{id}',
    kind: 'download',
    allow: can(Func.activityData, Opr.list),
    summary:
      'Downloads every line of the file of an import with every column as it was, and what became of it: the record, or why it was left out, already imported or rejected. Headings and the lines above them are notes (CSV).',
    input: z.strictObject({ id: Id }),
  }),
  refused: endpoint({
    method: 'GET',
    path: '/api/carbon/get-refused-activity/{id}',
    kind: 'download',
    allow: can(Func.activityData, Opr.list),
    summary: 'Downloads the rejected lines of an import unchanged, with the reasons (CSV).',
    input: z.strictObject({ id: Id }),
  }),
}
