import { localStorageColorSchemeManager } from '@mantine/core'

/** Local storage keys that public/first-paint.js reads before anything is painted. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'colorScheme' })
