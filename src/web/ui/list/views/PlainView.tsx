/** The list as it is, while its views are on their way or cannot be had. Null: nobody knows yet how many rows there are. */
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
