/** The footer of the white label. The server sanitizes it on write and on read. */
export function FooterHtml({ html }: { html: string }) {
  if (html === '') return null
  return <div className="fc-foot-html" dangerouslySetInnerHTML={{ __html: html }} />
}
