/** Where a line may break before the text overflows: in e-mail addresses, URLs and IDs, and between groups of digits. */
const BREAKS = /(?<=[@/_=]|\d,(?=\d{3}))|(?=\.[a-z])/i

/** Text that breaks between its parts, rather than inside one of them. What is read, copied and searched stays the same. */
export const Breakable = ({ text }: { readonly text: string }) => (
  <>
    {text.split(BREAKS).map((part, index) =>
      index === 0 ? (
        part
      ) : (
        <>
          <wbr />
          {part}
        </>
      ),
    )}
  </>
)
