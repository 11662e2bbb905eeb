/** The plain list tab, while views load or if they can't be loaded. Null: the number of rows isn't known yet. */
export function PlainView({ total }: { total: number | null }) {
  return (
    <ul className="fc-view-tabs">
      <li>
        <span className="fc-view" aria-current="true">
          All {total !== null && <span className="fc-number">{total.toLocaleString()}</span>}
        </span>
      </li>
    </ul>
  )
}
