const WIDTHS = [46, 38, 42, 50, 34]

/** The loading state of the facility tree. */
export function FacilitiesSkeleton() {
  return (
    <div className="fc-facilities-wait">
      <output className="fc-hidden">Loading the facilities</output>
      {WIDTHS.map((width) => (
        <span key={width} className="fc-skeleton" style={{ inlineSize: `${width}%` }} />
      ))}
    </div>
  )
}
