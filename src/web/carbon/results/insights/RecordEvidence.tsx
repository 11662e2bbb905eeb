import { evidence } from '#contract/carbon/activity/evidence.ts'
import { EvidenceName } from '#web/carbon/activity/evidence/EvidenceName.tsx'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'

/** The evidence files of the record behind a result, to open. Hidden from users who may not see them. */
export function RecordEvidence({ recordId }: { recordId: string }) {
  const holds = useHolds()
  const maySee = holds(evidence.list.allow) === true
  if (!maySee) return null
  return (
    <section aria-label="Evidence">
      <h3>Evidence</h3>
      <Loaded
        query={{ ...query(evidence.list, { recordId }), enabled: maySee }}
        what="the evidence"
        shape={null}
      >
        {(data) => (
          <>
            {data.length === 0 && <p className="fc-small fc-soft">This record has no evidence files.</p>}
            {data.length > 0 && (
              <ul>
                {data.map(({ id, name, size, createdBy }) => (
                  <li key={id}>
                    <EvidenceName id={id} name={name} />{' '}
                    <bdi className="fc-small fc-faint">
                      {formatBytes(size)}
                      {createdBy !== null && `, ${createdBy}`}
                    </bdi>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
