/** Something is on its way; `label` says what. */
export function Spinner({ label }: { label: string }) {
  return <output className="fc-spinner" aria-label={label} />
}
