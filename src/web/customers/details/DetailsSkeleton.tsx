import '#web/ui/form/form-section.css'
const SECTIONS = [4, 4, 2]

/** Matches the page layout: sections of fields in pairs. */
export function DetailsSkeleton() {
  return (
    <div>
      <output className="fc-hidden">Loading the details</output>
      {SECTIONS.map((fields, section) => (
        <div key={section} className="fc-section">
          <span className="fc-skeleton" style={{ inlineSize: 120 }} />
          <div className="fc-section-fields">
            {Array.from({ length: fields }, (_, field) => (
              <span key={field} className="fc-skeleton" style={{ inlineSize: '70%', marginBlock: 18 }} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
