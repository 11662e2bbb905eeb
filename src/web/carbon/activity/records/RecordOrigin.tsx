import { Text } from '@mantine/core'
import { activityImports, type RecordOrigin as Origin } from '#contract/carbon/activity/activity-imports.ts'
import { query } from '#web/api/query.ts'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** The lines of files that a record comes from, with every column. Nothing for a record that was entered by hand. */
export function RecordOrigin({ recordId }: { recordId: string }) {
  return (
    <Loaded query={query(activityImports.origin, { recordId })} what="the imported lines" shape={null}>
      {(lines) =>
        lines.length > 0 && (
          <section aria-labelledby="fc-record-origin">
            <h3 id="fc-record-origin">Imported from</h3>
            {lines.map((line, at) => (
              <Line key={`${line.importId} ${line.line} ${at}`} origin={line} isOpen={lines.length === 1} />
            ))}
          </section>
        )
      }
    </Loaded>
  )
}

function Line({ origin, isOpen }: { origin: Origin; isOpen: boolean }) {
  const { line, fileName, importedAt, importedBy, isUndone, above, columns } = origin
  const filled = columns.filter(({ value }) => value !== '')
  const unused = filled.filter(({ isUnused }) => isUnused).length
  return (
    <details open={isOpen}>
      <summary>
        From line {line} of <bdi className="fc-name">{fileName}</bdi>
      </summary>
      <Text fz={12} c="var(--fc-ink-soft)">
        <bdi>
          {formatDay(importedAt)}
          {importedBy !== null && `, ${importedBy}`}
          {isUndone && ', undone since'}
          {unused > 0 && `. ${count(unused, 'column is', 'columns are')} kept only here.`}
        </bdi>
      </Text>
      {above.length > 0 && (
        <Text fz={12} c="var(--fc-ink-soft)">
          <bdi>Above the table: {above.join('; ')}</bdi>
        </Text>
      )}
      <dl>
        {filled.map(({ title, value, isUnused }, at) => (
          <div key={`${title} ${at}`}>
            <dt>
              <bdi>{title}</bdi>
              {isUnused && (
                <Text component="span" fz={12} c="var(--fc-ink-soft)">
                  {' '}
                  (not imported)
                </Text>
              )}
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
