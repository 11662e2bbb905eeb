import { showFigure } from '#contract/carbon/factors/figure.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { ChangeEffect } from '#contract/carbon/factors/change-effect.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import styles from './ChangedRecords.module.css'

/** The records whose emissions a change would change, each with its emissions before and after. */
export function ChangedRecords({ affected, records }: Pick<ChangeEffect, 'affected' | 'records'>) {
  return (
    <ul className={styles.records}>
      {records.map((record) => (
        <li key={record.recordId}>
          <bdi>
            {sourceTitle(record)}, {record.facilityName}
          </bdi>
          <bdi className={`fc-second ${styles.second}`}>
            {record.inventoryName}, {writeDay(record.periodStart)} to {writeDay(record.periodEnd)}
          </bdi>
          <bdi className={`fc-number ${styles.kg}`}>
            {resultOf(record.kg)} → {resultOf(record.kgAfter)}
          </bdi>
        </li>
      ))}
      {affected > records.length && <li>And {(affected - records.length).toLocaleString()} more.</li>}
    </ul>
  )
}

const resultOf = (kg: string | null): string => (kg === null ? 'no result' : `${showFigure(kg)} kg CO2e`)
