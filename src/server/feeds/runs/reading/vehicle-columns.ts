import { sql, type RawBuilder } from 'kysely'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'

/** Columns whose type isn't text. */
const TYPES: Partial<Record<VehicleFieldName, 'integer' | 'numeric' | 'bigint' | 'date'>> = {
  year: 'integer',
  doors: 'integer',
  mileage: 'integer',
  cityEconomy: 'numeric',
  highwayEconomy: 'numeric',
  whPerMile: 'integer',
  co2: 'integer',
  inStockOn: 'date',
  marketPriceOn: 'date',
  bookValueOn: 'date',
}

const isFieldName = (name: string): name is VehicleFieldName => Object.hasOwn(VEHICLE_FIELDS, name)

/** All vehicle fields that a feed can fill. */
export const FIELD_NAMES: readonly VehicleFieldName[] = Object.keys(VEHICLE_FIELDS).filter(isFieldName)

/** The column of a field: `feedPrice` is `feed_price_cents`. */
export function columnName(name: VehicleFieldName): string {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return VEHICLE_FIELDS[name].kind === 'money' ? `${plain}_cents` : plain
}

/** SQL for the value of a field from `json`, a jsonb object keyed by field name, cast to the type of its column. */
function valueIn(json: RawBuilder<unknown>, name: VehicleFieldName): RawBuilder<unknown> {
  const key = sql.lit(name)
  if (name === 'photos') return sql`coalesce(${json} -> ${key}, '[]')`
  if (name === 'options') {
    return sql`array(select o.value from jsonb_array_elements_text(coalesce(${json} -> ${key}, '[]')) with ordinality as o (value, place) order by o.place)`
  }
  if (name === 'condition') return sql`coalesce(${json} ->> ${key}, 'used')`
  const type = VEHICLE_FIELDS[name].kind === 'money' ? 'bigint' : (TYPES[name] ?? 'text')
  return sql`(${json} ->> ${key})::${sql.raw(type)}`
}

/** SQL for `vehicles v` as one jsonb object keyed by field name: amounts in cents, dates as `2026-03-01`. */
export const asFields: RawBuilder<unknown> = sql`(jsonb_build_object(${sql.join(
  FIELD_NAMES.map((name) => sql`${sql.lit(name)}, ${sql.ref(`v.${columnName(name)}`)}`),
)}) || v.custom)`

/** SQL for the custom field values from `json`, without nulls. */
const customIn = (json: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(jsonb_object_agg(o.key, o.value), '{}') from jsonb_each(${json}) o
    where starts_with(o.key, 'custom_') and jsonb_typeof(o.value) <> 'null')`

/** SQL for the columns of every field, and their values from `json`, for an insert. */
export const fieldColumns: RawBuilder<unknown> = sql.join([
  ...FIELD_NAMES.map((name) => sql.ref(columnName(name))),
  sql.ref('custom'),
])
export const fieldValues = (json: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join([...FIELD_NAMES.map((name) => valueIn(json, name)), customIn(json)])

/** SQL for an update of `vehicles v`: fields present in `json` are set, all others keep their value. */
export const assignFields = (json: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join([
    ...FIELD_NAMES.map((name) => {
      const column = columnName(name)
      return sql`${sql.ref(column)} = case when jsonb_exists(${json}, ${sql.lit(name)}) then ${valueIn(json, name)} else ${sql.ref(`v.${column}`)} end`
    }),
    sql`custom = (v.custom - array(select k from jsonb_object_keys(${json}) k where starts_with(k, 'custom_'))) || ${customIn(json)}`,
  ])
