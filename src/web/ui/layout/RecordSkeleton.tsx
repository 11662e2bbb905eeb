import './record-skeleton.css'

const ROWS = { facts: 7, fields: 8 }
/** In percent. Lengths vary like real words. */
const LENGTHS = [44, 62, 38, 70, 54, 48, 66, 40]

type Props = {
  /** What is loading: "Loading the lot". */
  label: string
  /** What will be shown: names with values, or form fields in pairs. */
  shape: keyof typeof ROWS
}

/** The skeleton of a record, in its final shape. */
export function RecordSkeleton({ label, shape }: Props) {
  return (
    <div className="fc-record-skeleton" aria-busy="true" data-shape={shape}>
      <output className="fc-hidden">{label}</output>
      {Array.from({ length: ROWS[shape] }, (_, row) => (
        <div key={row} aria-hidden="true">
          <span className="fc-skeleton" />
          <span
            className="fc-skeleton"
            style={{ inlineSize: shape === 'facts' ? `${LENGTHS[row]}%` : '100%' }}
          />
        </div>
      ))}
    </div>
  )
}
