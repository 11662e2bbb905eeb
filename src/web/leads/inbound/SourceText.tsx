import './source-text.css'

type Props = { label: string; children: string }

/** A document as text. It scrolls, so the keyboard has to reach it. */
export function SourceText({ label, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="fc-inbound-text" aria-label={label} tabIndex={0}>
      <pre dir="ltr">{children}</pre>
    </section>
  )
}
