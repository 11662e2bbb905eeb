const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** What another site adds to its page to show a form. `origin`: of the public site. */
export function embedCodes(form: {
  origin: string
  key: string
  name: string
}): { label: string; code: string }[] {
  const { origin, key } = form
  const name = escape(form.name)
  return [
    {
      label: 'Script (adjusts its height and passes on campaign parameters):',
      code: `<script src="${origin}/embed.js" data-form="${key}" data-title="${name}" async></script>`,
    },
    {
      label: 'Frame (for sites without scripts):',
      code: `<iframe src="${origin}/embed/${key}" title="${name}" width="100%" height="640" loading="lazy"></iframe>`,
    },
  ]
}
