import './record-skeleton.css'

const ROWS = { facts: 7, fields: 8 }
/** In percent: words are not all of one length. */
const LENGTHS = [44, 62, 38, 70, 54, 48, 66, 40]

type Props = {
  /** What is on its way: "Loading the lot". */
  label: string
  /** What will stand there: names with their values, or the fields of a form in pairs. */
  shape: keyof typeof ROWS
}

/** A record on its way, in the shape it will have. */
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
