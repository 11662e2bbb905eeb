/** Reads a file as a data URL (`data:image/png;base64,...`), a third larger than its bytes. */
export function readAddress(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => done(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => failed(new Error("The file couldn't be read.")))
    reader.readAsDataURL(file)
  })
}
