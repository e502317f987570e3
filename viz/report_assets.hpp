#pragma once

#include <string_view>

// What the page is made of: the files of viz/report and the packaged browser libraries, put into
// the program at build time by report_assets.S.in.
namespace roadplane::viz::assets {

std::string_view page();    ///< the HTML, with places such as {{style}}
std::string_view style();   ///< CSS
std::string_view script();  ///< the page's own JavaScript
std::string_view three();
std::string_view orbit();  ///< turns three.js's camera
std::string_view chart();

}  // namespace roadplane::viz::assets
