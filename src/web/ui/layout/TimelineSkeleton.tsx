import '../record/record-page.css'

const LENGTHS = [46, 62, 38, 54, 70]

/** The skeleton of a timeline; `title` is announced to screen readers: "Loading the timeline". */
export function TimelineSkeleton({ title }: { title: string }) {
  return (
    <div aria-busy>
      <output className="fc-hidden">{title}</output>
      <ol className="fc-timeline" aria-hidden="true">
        {LENGTHS.map((length) => (
          <li key={length}>
            <span className="fc-skeleton" style={{ inlineSize: `${length}%` }} />
          </li>
        ))}
      </ol>
    </div>
  )
}
