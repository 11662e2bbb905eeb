/** `Mod` is the command key on Apple keyboards, Ctrl elsewhere: "Ctrl K", "⌘ K". */
export function showKeys(keys: string): string {
  return keys.replace('Mod', /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl')
}
