import { Fragment } from 'react'
import { COMPARED, fitsVin, type ComparedField } from '#contract/vehicles/vin/fits-vin.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { VIN_FIELDS, vins, type VinFacts as Decoded, type VinField } from '#contract/vehicles/vin/vin.ts'
import { query } from '#web/api/query.ts'
import { count, formatDate } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { FactList } from '#web/ui/record/Facts.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { ApplyVinValues } from './ApplyVinValues.tsx'
import styles from './VinFacts.module.css'

type Compared = Pick<VehicleRecord, ComparedField>
type Props = { vin: string | null; vehicle: VehicleRecord }

const TITLES: Readonly<Record<VinField, string>> = {
  year: 'Year',
  make: 'Make',
  model: 'Model',
  series: 'Series',
  trim: 'Trim',
  body: 'Body',
  doors: 'Doors',
  engine: 'Engine',
  fuel: 'Fuel',
  electrification: 'Electrification',
  transmission: 'Transmission',
  drivetrain: 'Drivetrain',
  kind: 'Vehicle type',
}
const CHECK_DIGITS = {
  right: { tone: 'good', mark: 'check', words: 'Valid VIN' },
  wrong: { tone: 'warn', mark: 'alert', words: 'Wrong check digit' },
  unused: { tone: 'mute', mark: 'dash', words: 'No check digit' },
} as const

/** The VIN decode of a vehicle, with differences from its data. */
export function VinFacts({ vin, vehicle }: Props) {
  return (
    <section className={`fc-side-card ${styles.vin}`} aria-labelledby="fc-vin-title">
      <h2 id="fc-vin-title">VIN decode</h2>
      {vin === null ? (
        <p className="fc-soft">This vehicle has no VIN yet.</p>
      ) : (
        <DecodedVin vin={vin} vehicle={vehicle} />
      )}
    </section>
  )
}

function DecodedVin({ vin, vehicle }: { vin: string; vehicle: VehicleRecord }) {
  return (
    <Loaded
      query={{
        ...query(vins.decode, { vin }),
        // The VIN table is part of the release, so the result can't change until the page is reloaded.
        staleTime: Infinity,
      }}
      what="the decoded VIN"
      shape="spinner"
      label="Decoding the VIN"
    >
      {(data) => {
        if (data.refusal !== null) return <InvalidVin refusal={data.refusal} suggestion={data.suggestion} />
        return <DecodedValues decoded={data} vehicle={vehicle} />
      }}
    </Loaded>
  )
}

function InvalidVin({ refusal, suggestion }: { refusal: string; suggestion: string | null }) {
  return (
    <>
      <p className={styles.verdicts}>
        <Status tone="bad" mark="cross" isPill>
          Invalid VIN
        </Status>
      </p>
      <p>
        <bdi>{refusal}</bdi>
        {suggestion !== null && (
          <>
            {' '}
            Did you mean <bdi className={styles.text}>{suggestion}</bdi>?
          </>
        )}
      </p>
    </>
  )
}

function DecodedValues({ decoded, vehicle }: { decoded: Decoded; vehicle: VehicleRecord }) {
  const { values, warnings, checkDigit, edition } = decoded
  const { words, ...look } = CHECK_DIGITS[checkDigit.verdict]
  const different = COMPARED.filter((field) => !fitsVin(field, vehicle[field] ?? '', values))
  const known = VIN_FIELDS.filter((field) => values[field] !== undefined)
  return (
    <>
      <p className={styles.verdicts}>
        <Status {...look} isPill>
          {words}
        </Status>
        {different.length > 0 && (
          <Status tone="warn" mark="alert" isPill>
            {count(different.length, 'difference', 'differences')}
          </Status>
        )}
      </p>
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>
              <bdi>{warning}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ApplyVinValues vehicle={vehicle} decoded={values} />
      <FactList
        facts={known.map((field) => [
          TITLES[field],
          <Fragment key={field}>
            <bdi>{values[field]?.value}</bdi>
            <Difference own={different.some((one) => one === field) ? ownOf(vehicle, field) : null} />
            <small className={styles.from}>
              <bdi>{values[field]?.from}</bdi>
            </small>
          </Fragment>,
        ])}
      />
      <p className="fc-small fc-faint">
        Source: manufacturer filings with NHTSA (vPIC), as of {formatDate(edition)}.
      </p>
    </>
  )
}

function Difference({ own }: { own: string | number | null }) {
  if (own === null) return null
  return (
    <span className={styles.difference}>
      <Status tone="warn" mark="alert">
        <span>
          Vehicle data: <bdi>{own}</bdi>
        </span>
      </Status>
    </span>
  )
}

function ownOf(vehicle: Compared, field: VinField): string | number | null {
  const compared = COMPARED.find((one) => one === field)
  return compared === undefined ? null : vehicle[compared]
}
