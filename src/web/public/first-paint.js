// Runs before anything is painted: a classic script, because a module would wait and the page would flash in the
// wrong look. The key and the attributes are those of ui/appearance.ts.
;(function () {
  var root = document.documentElement
  var look = null
  try {
    look = JSON.parse(localStorage.getItem('appearance'))
  } catch {
    // Storage is forbidden or holds nonsense: the system's scheme and the page's own direction stand.
  }
  look = look || {}
  var scheme = look.scheme
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  root.setAttribute('data-mantine-color-scheme', scheme)
  root.style.colorScheme = scheme
  if (look.direction === 'rtl' || look.direction === 'ltr') root.setAttribute('dir', look.direction)
  if (typeof look.layout === 'string') root.setAttribute('data-layout', look.layout)
  if (typeof look.headerColor === 'string') root.setAttribute('data-header', look.headerColor)
  root.toggleAttribute('data-boxed', look.isBoxed === true)
  root.toggleAttribute('data-loose-menu', look.isMenuFixed === false)
  root.toggleAttribute('data-loose-header', look.isHeaderFixed === false)
  root.toggleAttribute('data-collapsed', look.isMenuCollapsed === true)
})()
