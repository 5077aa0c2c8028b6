// The kernel: yours goes here.

// Returns the tiled bytes. shape and repeats have equal lengths; an element has `width` bytes.
export function tile(shape, repeats, width, data) {
  let block = width; // the bytes of one index of the axis, tiled along the later axes
  for (let axis = shape.length; axis-- > 0;) {
    block *= shape[axis];
    const copies = repeats[axis];
    const next = Buffer.alloc(data.length * copies);
    for (let from = 0, to = 0; from < data.length; from += block)
      for (let copy = 0; copy < copies; ++copy, to += block) data.copy(next, to, from, from + block);
    data = next;
    block *= copies;
  }
  return data;
}
