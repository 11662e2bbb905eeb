import { showNotice } from '#web/ui/overlay/dialogs.tsx'

/** Shows which files and folders stayed as they were, and why. */
export function showKept(title: string, kept: readonly { path: string; reason: string }[]): void {
  showNotice(
    title,
    <ul>
      {kept.map(({ path, reason }) => (
        <li key={path}>
          <bdi>{path}</bdi>
          {`: ${reason}`}
        </li>
      ))}
    </ul>,
  )
}
