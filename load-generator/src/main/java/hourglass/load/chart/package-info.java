/**
 * Pictures for a report that is one HTML file: SVG made of text, with no script and no resource.
 */
@NullMarked
package hourglass.load.chart;

import org.jspecify.annotations.NullMarked;
