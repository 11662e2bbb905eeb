type Note = Readonly<{ place: string; message: string }>

/** The notes of an import with the places of each message, in the order of the file. No place is left out. */
export function groupNotes(notes: readonly Note[]): { message: string; places: string[] }[] {
  const groups = new Map<string, string[]>()
  for (const { place, message } of notes) groups.set(message, [...(groups.get(message) ?? []), place])
  return [...groups].map(([message, places]) => ({ message, places }))
}
