type Props = { label: string; titles: readonly string[] }

/** A strip of figures that aren't there yet. */
export function FiguresLoading({ label, titles }: Props) {
  return (
    <output className="fc-strip" aria-label={label}>
      {titles.map((title) => (
        <span key={title} className="fc-figure">
          <span>{title}</span>
          <span className="fc-skeleton" style={{ inlineSize: 56, blockSize: 28 }} />
          <span className="fc-skeleton" style={{ inlineSize: 120 }} />
        </span>
      ))}
    </output>
  )
}
