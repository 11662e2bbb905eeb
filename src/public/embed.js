// Shows a form of this site on another one. On the other site:
// <script src="https://cars.dealer.example/embed.js" data-form="test-drive" async></script>
// data-parameters="city model" passes on more parameters of the page's address, for questions that are filled in by them.
// Both sites stay apart: this script reads nothing but the page's address, and only the frame's height comes back.
{
  // The list of form-body.ts; a test compares them.
  const CAMPAIGN_PARAMETERS = [
    'utm_source',
    'utm_medium',
    'utm_campaign',
    'utm_term',
    'utm_content',
    'gclid',
    'fbclid',
    'msclkid',
    'short_url',
  ]
  const KNOWN_PARAMETERS = [...CAMPAIGN_PARAMETERS, 'lang', 'vehicle']
  const script = document.currentScript
  const key = script?.dataset.form ?? ''
  const site = new URL(script?.src ?? location.href).origin
  const address = new URL(`/embed/${encodeURIComponent(key)}`, site)
  // An address may contain secrets: only what is known to belong to the form leaves the page.
  const more = (script?.dataset.parameters ?? '').split(/\s+/)
  const known = new Set([...KNOWN_PARAMETERS, ...more])
  const campaign = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (known.has(name)) address.searchParams.append(name, value)
    if (CAMPAIGN_PARAMETERS.includes(name)) campaign.append(name, value)
  }
  const query = campaign.size === 0 ? '' : `?${campaign}`
  address.searchParams.set('fc-page', `${location.origin}${location.pathname}${query}`)
  // The language of the page around the form, if the form has it.
  const { lang } = document.documentElement
  if (lang !== '' && !address.searchParams.has('lang')) address.searchParams.set('lang', lang)
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = script?.dataset.title ?? 'Form'
  frame.style.width = '100%'
  frame.style.height = '40rem'
  frame.style.border = '0'
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== site) return
    const height = Number(data?.forecourtHeight)
    if (height > 0 && height < 20_000) frame.style.height = `${Math.ceil(height)}px`
  })
  script?.after(frame)
}
