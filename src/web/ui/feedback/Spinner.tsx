/** A loading indicator; `label` is announced to screen readers. */
export function Spinner({ label }: { label: string }) {
  return <output className="fc-spinner" aria-label={label} />
}
