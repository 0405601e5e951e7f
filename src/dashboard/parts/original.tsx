/** The file that was uploaded. The browser never loads the client's image URL. */
export const Original = ({ path }: { path: string | null }) =>
  path === null ? null : (
    <figure class="card picture">
      <a href={path}>
        <img src={path} alt="Original picture" loading="lazy" decoding="async" />
      </a>
      <figcaption>The original, as shops get it: without what the camera wrote into the file.</figcaption>
    </figure>
  )
