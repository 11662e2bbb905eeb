// Runs before anything is painted: a classic script, because a module would wait and the page would flash in the
// wrong scheme. The keys are those of ui/appearance.ts.
;(function () {
  var root = document.documentElement
  var scheme = null
  var direction = null
  try {
    scheme = localStorage.getItem('colorScheme')
    direction = localStorage.getItem('direction')
  } catch {
    // Storage is forbidden: the system's scheme and the page's own direction stand.
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  root.setAttribute('data-mantine-color-scheme', scheme)
  root.style.colorScheme = scheme
  if (direction === 'rtl' || direction === 'ltr') root.setAttribute('dir', direction)
})()
