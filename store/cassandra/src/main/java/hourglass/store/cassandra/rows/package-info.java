/**
 * The tables of rows, one for each retention class. Columns of one write are stored as packs. Begin
 * with {@code PacksTable} and {@code PackCodec}.
 */
@NullMarked
package hourglass.store.cassandra.rows;

import org.jspecify.annotations.NullMarked;
