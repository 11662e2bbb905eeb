// Shows a form of this site on another one. On the other site:
// <script src="https://cars.dealer.example/embed.js" data-form="test-drive" async></script>
// Both sites stay apart: this script reads nothing but the page's address, and only the frame's height comes back.
{
  const script = document.currentScript
  const key = script?.dataset.form ?? ''
  const site = new URL(script?.src ?? location.href).origin
  const address = new URL(`/embed/${encodeURIComponent(key)}`, site)
  for (const [name, value] of new URLSearchParams(location.search)) address.searchParams.append(name, value)
  address.searchParams.set('fc-page', location.href)
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
