import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { ELEMENTS } from '#server/vehicles/vin/table-layout.ts'

/** A pattern: a key with a vPIC element ID and its value, or the model ID for a model. */
export type Pattern = { schema: number; key: string; element: number; value: string; createdOn: string }
export type Maker = {
  wmi: string
  kind: number
  makes: string[]
  schemas: { schema: number; from: number; to: number }[]
}
export type Vpic = {
  patterns: Pattern[]
  makers: Maker[]
  models: Map<string, { name: string; make: string }>
  engines: Map<string, { element: number; value: string }[]>
  /** Date of the last change. */
  edition: string
}

const CUBIC_CENTIMETRES = 11
const LITRES = 13
const MODEL = 28
const KEPT = [...ELEMENTS.map(({ vpic }) => vpic), CUBIC_CENTIMETRES]
/** Rows added by parties other than NHTSA have timestamps with a time zone; NHTSA's have none. */
const NOT_OF_NHTSA = '%Z'

const PatternRow = z.object({
  schema: z.number(),
  key: z.string(),
  element: z.number(),
  value: z.string(),
  createdOn: z.string().nullable(),
})
const MakerRow = z.object({
  id: z.number(),
  wmi: z.string(),
  kind: z.number().nullable(),
  make: z.string().nullable(),
})
const Validity = z.object({
  wmi: z.number(),
  schema: z.number(),
  from: z.number(),
  to: z.number().nullable(),
})
const Named = z.object({ id: z.coerce.string(), name: z.string() })

/** Reads the parts of vPIC that we use from its SQLite file. */
export function readVpic(path: string): Vpic {
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = <Row>(shape: z.ZodType<Row>, text: string, ...values: string[]): Row[] =>
    z.array(shape).parse(db.prepare(text).all(...values))
  try {
    const words = readWords(rows, db)
    const worded = ({ element, value }: { element: number; value: string }) =>
      wordOf({ element, value: words.get(element)?.get(value) ?? (words.has(element) ? null : value) })
    const found = rows(
      PatternRow,
      `select VinSchemaId schema, Keys key, ElementId element, AttributeId value, CreatedOn createdOn
       from Pattern where ElementId in (${KEPT.join(', ')}) and coalesce(CreatedOn, '') not like ?`,
      NOT_OF_NHTSA,
    )
    return {
      patterns: found.flatMap((row) => {
        const word = worded(row)
        return word === null ? [] : [{ ...row, ...word, key: row.key.trim(), createdOn: row.createdOn ?? '' }]
      }),
      makers: readMakers(rows, found),
      models: new Map(
        rows(
          Named.extend({ make: z.string() }),
          `select m.Id id, m.Name name, k.Name make from Make_Model mm
           join Model m on m.Id = mm.ModelId join Make k on k.Id = mm.MakeId`,
        ).map(({ id, name, make }) => [id, { name: name.trim(), make: make.trim() }]),
      ),
      engines: Map.groupBy(
        rows(
          PatternRow.pick({ element: true, value: true }).extend({ engine: z.string() }),
          `select e.Name engine, p.ElementId element, p.AttributeId value from EngineModelPattern p
           join EngineModel e on e.Id = p.EngineModelId where p.ElementId in (${KEPT.join(', ')})`,
        ).flatMap(({ engine, ...row }) => {
          const word = worded(row)
          return word === null ? [] : [{ engine: engine.trim(), ...word }]
        }),
        ({ engine }) => engine,
      ),
      edition:
        rows(
          z.object({ day: z.string() }),
          `select substr(max(UpdatedOn), 1, 10) day from Pattern where UpdatedOn not like ?`,
          NOT_OF_NHTSA,
        )[0]?.day ?? '',
    }
  } finally {
    db.close()
  }
}

type Model = Pick<Pattern, 'schema' | 'element' | 'value'>
type Rows = <Row>(shape: z.ZodType<Row>, text: string, ...values: string[]) => Row[]

/** The values of lookup tables, for elements that have one. */
function readWords(rows: Rows, db: DatabaseSync): Map<number, Map<string, string>> {
  const tables = rows(
    z.object({ id: z.number(), name: z.string() }),
    `select Id id, LookupTable name from Element
     where LookupTable is not null and Id in (${KEPT.filter((id) => id !== MODEL).join(', ')})`,
  )
  return new Map(
    tables.map(({ id, name }) => {
      const words = z.array(Named).parse(db.prepare(`select Id id, Name name from "${name}"`).all())
      return [id, new Map(words.map((word) => [word.id, word.name.trim()]))]
    }),
  )
}

/** Liters with one decimal, converted from cubic centimeters if necessary. */
function wordOf(of: { element: number; value: string | null }): { element: number; value: string } | null {
  const value = of.value?.replace(/\s+/g, ' ').trim() ?? ''
  if (value === '') return null
  if (of.element !== CUBIC_CENTIMETRES && of.element !== LITRES) return { element: of.element, value }
  const litres = Number(value) / (of.element === CUBIC_CENTIMETRES ? 1_000 : 1)
  return litres > 0 && litres < 100 ? { element: LITRES, value: litres.toFixed(1) } : null
}

/** Newer manufacturer codes that use the patterns of an older one: Tesla's Shanghai and Berlin plants. */
const BORROWED: Readonly<Record<string, string>> = { LRW: '5YJ', XP7: '7SA' }

function readMakers(rows: Rows, patterns: readonly Model[]): Maker[] {
  const makers = rows(
    MakerRow,
    `select w.Id id, w.Wmi wmi, w.VehicleTypeId kind, m.Name make from Wmi w
     left join Wmi_Make wm on wm.WmiId = w.Id left join Make m on m.Id = coalesce(wm.MakeId, w.MakeId)`,
  )
  const validities = Map.groupBy(
    rows(
      Validity,
      `select WmiId wmi, VinSchemaId schema, YearFrom "from", YearTo "to" from Wmi_VinSchema ws
       where exists (select 1 from VinSchema s where s.Id = ws.VinSchemaId and s.Notes is null)`,
    ),
    ({ wmi }) => wmi,
  )
  const makeOfModel = new Map(
    rows(
      z.object({ id: z.coerce.string(), make: z.string() }),
      'select mm.ModelId id, m.Name make from Make_Model mm join Make m on m.Id = mm.MakeId',
    ).map(({ id, make }) => [id, make.trim()]),
  )
  const models = Map.groupBy(
    patterns.filter(({ element }) => element === MODEL),
    ({ schema }) => schema,
  )
  const idOf = new Map(makers.map(({ wmi, id }) => [wmi, id]))
  return [...Map.groupBy(makers, ({ id }) => id)].map(([id, [first, ...others]]) => {
    const wmi = first?.wmi.trim() ?? ''
    const own = validities.get(id) ?? validities.get(idOf.get(BORROWED[wmi] ?? '') ?? 0) ?? []
    const uses = Map.groupBy(
      own.flatMap(({ schema }) => models.get(schema) ?? []),
      ({ value }) => makeOfModel.get(value) ?? '',
    )
    const often = (make: string) => uses.get(make)?.length ?? 0
    return {
      wmi,
      kind: first?.kind ?? 0,
      makes: [first, ...others]
        .flatMap((row) => row?.make?.trim() ?? [])
        .toSorted((one, other) => often(other) - often(one)),
      schemas: own.map(({ schema, from, to }) => ({ schema, from, to: to ?? 0 })),
    }
  })
}
